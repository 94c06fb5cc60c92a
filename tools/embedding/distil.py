#!/usr/bin/env python3
"""First rows from a sentence model: each token of packed pairs through the model alone, the leading directions kept.

    distil.py --model FOLDER --data DATA.npz --out first.npy [--dims 256]

FOLDER is a local model in the transformers layout (config, tokenizer, safetensors); nothing is downloaded. Give the result to
`train.py fit --set init=first.npy`.
"""
import argparse
from pathlib import Path

import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dims", type=int, default=256)
    args = parser.parse_args()
    import torch
    from transformers import AutoModel, AutoTokenizer
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = AutoTokenizer.from_pretrained(args.model, local_files_only=True)
    encoder = AutoModel.from_pretrained(args.model, local_files_only=True).float().to(device).eval()
    tokens, found = np.load(args.data)["tokens"].tobytes().decode().split("\n"), []
    with torch.no_grad():
        for at in range(0, len(tokens), 1024):
            batch = tokenizer(tokens[at:at + 1024], padding=True, return_tensors="pt").to(device)
            mask = batch["attention_mask"][..., None]
            state = encoder(**batch).last_hidden_state
            found.append(torch.nn.functional.normalize((state * mask).sum(1) / mask.sum(1), dim=1))
        rows = torch.cat(found)
        rows = rows - rows.mean(0)
        _, _, directions = torch.linalg.svd(rows, full_matrices=False)
        np.save(args.out, (rows @ directions[:args.dims].T).cpu().numpy())


if __name__ == "__main__":
    main()
