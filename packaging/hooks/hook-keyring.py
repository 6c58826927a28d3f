"""keyring finds its backends through package metadata, which a frozen program has only if it is taken along."""

import sys

from PyInstaller.utils.hooks import copy_metadata

_BACKENDS = {
    "linux": ["keyring.backends.SecretService", "keyring.backends.kwallet", "keyring.backends.libsecret"],
    "darwin": ["keyring.backends.macOS", "keyring.backends.macOS.api"],
    "win32": ["keyring.backends.Windows"],
}
datas = copy_metadata("keyring")
hiddenimports = ["keyring.backends.chainer", "keyring.backends.fail", "keyring.backends.null"]
hiddenimports += _BACKENDS.get(sys.platform, [])
