"""bm25s takes numba, JAX, the Hugging Face hub and progress bars if it finds them; Backscroll uses none."""

excludedimports = ["numba", "jax", "jaxlib", "huggingface_hub", "tqdm", "scipy", "pytrec_eval", "bm25s.mcp"]
