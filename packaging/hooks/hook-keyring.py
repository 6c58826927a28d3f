"""keyring finds its backends through package metadata, which a frozen program has only if it is taken along.

All of them, on every system: the metadata names them all, and one that cannot be imported is complained about.
"""

from PyInstaller.utils.hooks import copy_metadata

datas = copy_metadata("keyring")
_BACKENDS = ("SecretService", "Windows", "chainer", "fail", "kwallet", "libsecret", "macOS", "macOS.api", "null")
hiddenimports = [f"keyring.backends.{name}" for name in _BACKENDS]
