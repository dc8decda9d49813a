"""Tests of the python worker's own parts: what a kernel sees of a slot, with NumPy and, where there
is one, with PyTorch; where compiled code is kept. Run by python_worker_test.sh."""
# SPDX-License-Identifier: Apache-2.0
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

WORKER = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(WORKER))
import arrays  # noqa: E402
import worker  # noqa: E402

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
HAS_TORCH = importlib.util.find_spec("torch") is not None
FILL = 0x5A


class Views:
    """Two tensors in one slot: each view covers its own bytes, and nothing else ever changes."""

    def tensors(self):
        return [{"name": "x", "role": "input", "dtype": "f32", "shape": [3, 5], "strides": [7, 1],
                 "offset": 2, "bytes": 4 * (2 + 2 * 7 + 5)},
                {"name": "y", "role": "output", "dtype": "f32", "shape": [5, 3],
                 "strides": [1, 5], "offset": 0, "bytes": 4 * 15}]

    def test_a_view_begins_where_its_tensor_does(self):
        tensors = self.tensors()
        offsets, used = worker.slot_offsets([tensor["bytes"] for tensor in tensors])
        slot = bytearray([FILL]) * used
        opened = self.arrays.open_slot(memoryview(slot))
        for tensor, start in zip(tensors, offsets):
            view = self.arrays.view(opened, start, tensor)
            view[...] = 1.0
        self.arrays.close_slot(memoryview(slot), opened)
        one = b"\x00\x00\x80\x3f"
        for position in range(used):
            self.assertEqual(slot[position], self.wanted(tensors, offsets, position, one),
                             f"byte {position}")

    @staticmethod
    def wanted(tensors, offsets, position, one):
        for tensor, start in zip(tensors, offsets):
            element = (position - start) // 4 - tensor["offset"]
            if not start <= position < start + tensor["bytes"] or element < 0:
                continue
            reached = {row * tensor["strides"][0] + col * tensor["strides"][1]
                       for row in range(tensor["shape"][0]) for col in range(tensor["shape"][1])}
            return one[(position - start) % 4] if element in reached else FILL
        return FILL

    def test_a_returned_array_of_another_shape_is_refused(self):
        tensor = self.tensors()[1]
        offsets, used = worker.slot_offsets([tensor["bytes"]])
        opened = self.arrays.open_slot(memoryview(bytearray(used)))
        view = self.arrays.view(opened, offsets[0], tensor)
        other = self.arrays.view(opened, offsets[0], {**tensor, "shape": [3, 5],
                                                      "strides": [5, 1]})
        with self.assertRaises(arrays.Refused):
            self.arrays.copy(view, other, "y")


@unittest.skipUnless(HAS_NUMPY, "no NumPy here")
class NumpyViews(Views, unittest.TestCase):
    def setUp(self):
        self.arrays = arrays.NumpyArrays()


@unittest.skipUnless(HAS_TORCH, "no PyTorch here")
class TorchViews(Views, unittest.TestCase):
    def setUp(self):
        self.arrays = arrays.TorchArrays()


class Scratch(unittest.TestCase):
    """In a process of its own: it changes folder, environment and rights for good."""

    CODE = """
import os, sys
sys.path.insert(0, sys.argv[1])
import worker
os.environ["TRITON_CACHE_DIR"] = os.getcwd()
worker.enter_scratch("/some/where/image-7")
print(os.getcwd(), os.environ["TRITON_CACHE_DIR"], os.path.exists("ext/lock"))
"""

    def test_pytorch_is_for_sources_that_use_it_whatever_the_worker_has_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("plain", "import numpy as np\nimport far\n"),
                               ("direct", "def f(x):\n    from torch.nn import functional as F\n"),
                               ("near", "import helper, near\n"),
                               ("helper", "import triton.language as tl\n")):
                pathlib.Path(folder, name + ".py").write_text(text)
            wants = {name: arrays.wants_torch(os.path.join(folder, name + ".py"))
                     for name in ("plain", "direct", "near")}
        self.assertEqual(wants, {"plain": False, "direct": True, "near": True})

    def test_kernels_have_folders_of_their_own_and_locks_of_the_dead_are_gone(self):
        with tempfile.TemporaryDirectory() as folder:
            lock = pathlib.Path(folder) / "image-7" / "ext" / "lock"
            lock.parent.mkdir(parents=True)
            lock.touch()
            run = subprocess.run([sys.executable, "-B", "-c", self.CODE, str(WORKER)],
                                 cwd=folder, capture_output=True, text=True)
            own = os.path.join(os.path.realpath(folder), "image-7")
            self.assertEqual(run.stdout.split(), [own, own, "False"], run.stderr)


if __name__ == "__main__":
    unittest.main()
