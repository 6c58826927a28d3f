"""Finding turns: masks, the paper's fusion, the product's ranking, and the turns around a hit."""
