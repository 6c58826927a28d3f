"""llama.cpp's libraries are opened by path from `llama_cpp/lib`, and the processor modules by folder, so no
dependency analysis finds them. All of them go where they were."""

from PyInstaller.utils.hooks import collect_dynamic_libs

binaries = [found for found in collect_dynamic_libs("llama_cpp") if "mtmd" not in found[0]]
excludedimports = ["llama_cpp.server", "huggingface_hub", "transformers"]
