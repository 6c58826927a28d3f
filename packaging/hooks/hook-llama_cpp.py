"""llama.cpp's libraries are opened by path from `llama_cpp/lib`, and the processor modules by folder, so no
dependency analysis finds them. All of them go where they were."""

from PyInstaller.utils.hooks import collect_dynamic_libs

# Pictures, and what the example programs share, a fetcher of models among it: neither is ever opened here.
_UNUSED = tuple(f"{name}.{end}" for name in ("mtmd", "llama-common") for end in ("so", "dylib", "dll"))
binaries = [found for found in collect_dynamic_libs("llama_cpp") if not found[0].endswith(_UNUSED)]
excludedimports = ["llama_cpp.server", "huggingface_hub", "transformers"]
