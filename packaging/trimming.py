"""What of the collected files does not go into the frozen program. Pure rules, so that they can be tested.

PyInstaller's `excludes` do not stop it from taking the libraries that a plug-in is linked with, so files are
left out by name after the analysis.
"""

import re
from collections.abc import Iterator
from pathlib import Path

OURS = ("app", "engine", "models", "importers")
DATA = (".json", ".npz", ".qm", ".svg", ".toml", ".txt", ".zip")

EXCLUDED_MODULES = [
    *("PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtPdf", "PySide6.QtOpenGL"),
    *("tkinter", "numba", "llvmlite", "scipy", "pandas", "IPython", "matplotlib", "PIL", "tqdm", "requests"),
    *("pytest", "hypothesis", "pip", "setuptools", "pkg_resources", "_distutils_hack", "lib2to3", "pydoc_data"),
    *("numpy.f2py", "numpy.testing", "numpy.distutils", "test", "curses", "ensurepip", "idlelib"),
    *("huggingface_hub", "transformers", "llama_cpp.server", "xmlrpc", "pydoc", "doctest", "turtle"),
]

UNWANTED = re.compile(
    r"""
    Qt6?(Network|Qml|Quick|Pdf|VirtualKeyboard|OpenGL|Designer|ShaderTools|Test|Sql|3D|Multimedia|WebEngine)
    | (^|/)(tls|networkinformation|qmltooling|sqldrivers|virtualkeyboard|egldeviceintegrations)/
    | (^|/)qml/ | qpdf | virtualkeyboard
    | (^|/)libqeglfs | (^|/)q?(lib)?q(eglfs|linuxfb|minimalegl|vnc|vkkhrdisplay|webgl)
    | opengl32sw
    | EglFS | EglFsKms | plugins/generic/ | wayland-graphics-integration-client/ | xcbglintegrations/ | libqgtk3
    | imageformats/(lib)?q(tiff|tga|wbmp|icns)
    | ^lib(atk|pango|cairo|gdk|gtk|krb5|gssapi|k5crypto|com_err|keyutils)
    | (^|/)(lib)?(mtmd|llama-common)
    """,
    re.VERBOSE,
)

# The display's libraries and the C++ runtime come from the system: a bundled copy would clash with its graphics
# drivers. The Debian package names them all, and install.sh says which are missing.
SYSTEM = re.compile(
    r"""^lib(
        X | xcb | xkbcommon | wayland- | GL | EGL | OpenGL | drm | gbm | fontconfig | freetype | glib-2 | gio-2
        | gobject-2 | gmodule-2 | gthread-2 | dbus-1 | systemd | stdc\+\+ | gcc_s | gomp | cap(?=\.) | lz4 | zstd
        | gcrypt | gpg-error | bsd | md(?=\.) | pcre | png16 | brotli | mount | blkid | selinux
        | graphite2 | harfbuzz | vulkan | datrie | fribidi | jpeg | pixman | thai
    )[\w.+-]*\.so[.\d]*$""",
    re.VERBOSE,
)
LANGUAGES = ("zh_CN",)


def our_data(root: Path) -> Iterator[Path]:
    """The data files of our packages, each relative to the repository; the bundle has them at the same place."""
    for package in OURS:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in DATA and "__pycache__" not in path.parts:
                yield path.relative_to(root)


def wanted(name: str, platform: str) -> bool:
    """Whether a file of the bundle stays; `name` is its place in the bundle."""
    name = name.replace("\\", "/")
    if UNWANTED.search(name):
        return False
    if "/translations/" in f"/{name}":
        return any(name.endswith(f"qtbase_{language}.qm") for language in LANGUAGES)
    if name.endswith((".pyi", ".c", ".h", ".pxd", ".pyx", ".typesystem.xml")):
        return False
    return not (platform == "linux" and "/" not in name and SYSTEM.match(name))
