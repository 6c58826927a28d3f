"""Runs when the frozen program starts: where this system keeps its certificates, for when a model is fetched.

The OpenSSL in the bundle knows the place of the system that it was built on. Elsewhere it would find none, and
every address would seem to be forged. Nothing is read here and no network is used.
"""

import os
import sys

_BUILT_WITH = ("/usr/lib/ssl/cert.pem", "/usr/lib/ssl/certs")  # Debian and Ubuntu
_ELSEWHERE = (
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora, Red Hat
    "/etc/ssl/ca-bundle.pem",  # openSUSE
    "/etc/ssl/certs/ca-certificates.crt",  # Arch, Alpine
    "/etc/ssl/cert.pem",  # macOS
)

if sys.platform != "win32" and "SSL_CERT_FILE" not in os.environ and "SSL_CERT_DIR" not in os.environ:
    known = () if sys.platform == "darwin" else _BUILT_WITH
    if not any(map(os.path.exists, known)):
        for place in filter(os.path.exists, _ELSEWHERE):
            os.environ["SSL_CERT_FILE"] = place
            break
