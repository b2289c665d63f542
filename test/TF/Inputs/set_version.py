# Gives all class files in a folder another version.
"""usage: set_version.py FOLDER MAJOR"""
import os
import sys

for folder, _, files in os.walk(sys.argv[1]):
    for file in files:
        if file.endswith(".class"):
            path = os.path.join(folder, file)
            data = bytearray(open(path, "rb").read())
            data[4:8] = (0, 0, 0, int(sys.argv[2]))
            open(path, "wb").write(data)
