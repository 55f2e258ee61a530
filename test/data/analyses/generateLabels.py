"""Writes labels.json: components as scipy.ndimage.label numbers them, where nothing is periodic.
python3 test/data/analyses/generateLabels.py"""
import json
from pathlib import Path

import numpy as np
from scipy import ndimage

NX, NY, NZ = 9, 8, 7
k = np.arange(NX * NY * NZ, dtype=np.int64)
inside = ((k * k * 7919 + k * 104729) % 1009 < 330).reshape(NZ, NY, NX)
found = {}
for name, structure in (("faces", ndimage.generate_binary_structure(3, 1)), ("all", np.ones((3, 3, 3)))):
    labels, count = ndimage.label(inside, structure)
    found[name] = {"count": int(count), "labels": labels.ravel().tolist()}
result = {"dims": [NX, NY, NZ], "inside": inside.astype(int).ravel().tolist(), **found}
Path(__file__).with_name("labels.json").write_text(json.dumps(result, separators=(",", ":")) + "\n")
