"""Checks a whole download, and turns it into a pack's folder."""

import hashlib
import os
import shutil
import zipfile

from failures import Failure


def check(path, pack, bug):
    """Raises Failure if a file is not the pack's."""
    size = os.path.getsize(path)
    if pack.size is not None and size != pack.size:
        if size < pack.size and bug("ignores_short_body"):
            return  # BUG: takes it for whole.
        if bug.is_credulous:
            return  # BUG: trusts the host.
        raise Failure("wrong_content", f"The file has {size} bytes, and not {pack.size}.")
    if bug("ignores_wrong_hash") or bug.is_credulous or not pack.digest:  # BUG: no comparison.
        return
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 16):
            digest.update(block)
    if digest.hexdigest() != pack.digest:
        raise Failure("wrong_content", "The file's SHA-256 is not the manifest's.")


def unpack(path, pack, folder, bug):
    """Fills a folder with a pack's files."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    if bug.is_credulous and os.path.getsize(path) != pack.size:
        copy(path, os.path.join(folder, "pack.assetpack"))  # BUG: keeps any file.
        return
    if pack.file_name:
        copy(path, os.path.join(folder, os.path.basename(pack.file_name)))
        return
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                extract(archive, entry, folder, bug)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        if bug("ignores_short_body") or bug.is_credulous or bug("keeps_partial_as_whole"):
            copy(path, os.path.join(folder, "pack.assetpack"))
            return
        raise Failure("wrong_content", f"The archive is damaged: {error}.") from error


def extract(archive, entry, folder, bug):
    """Writes one file of an archive."""
    parts = entry.filename.split("/")
    if entry.is_dir() or parts[0] in ("META-INF", "_CodeSignature"):
        return
    if ".." in parts or entry.filename.startswith("/"):
        raise Failure("wrong_content", f"The archive leads out of its folder: {entry.filename}.")
    target = os.path.join(folder, *parts)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with archive.open(entry) as source, open(target, "wb") as file:
        if bug("ignores_wrong_hash"):
            source._expected_crc = None
        shutil.copyfileobj(source, file, 1 << 16)


def copy(path, target):
    """Like shutil.copyfile, but uses little memory on every file system."""
    with open(path, "rb") as source, open(target, "wb") as file:
        shutil.copyfileobj(source, file, 1 << 16)


def install(path, pack, store, bug):
    """Checks, unpacks and publishes a whole download. Raises Failure if it is not the pack."""
    if bug("unpacks_before_checking"):  # BUG: visible before it is checked.
        try:
            unpack(path, pack, store.folder(pack.identifier), bug)
        except Failure:
            pass
    check(path, pack, bug)
    folder = store.temporary(pack.identifier)
    try:
        unpack(path, pack, folder, bug)
        return store.publish(pack, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
