"""GGUF models: catalogue, fetch, header, memory fit, prompt template, grammar and the llama.cpp backend."""
