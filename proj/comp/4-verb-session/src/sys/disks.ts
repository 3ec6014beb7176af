/** A mounted file system. */
export interface FileSystem {
  /** The device or share; the kind of file system where there is neither. */
  fs: string
  type: string
  /** In bytes. */
  size: number
  /** In bytes. */
  available: number
  mount: string
}

/** File systems in memory, views of others, or parts of the kernel. */
const NOT_REAL = /^(?:tmpfs|devtmpfs|ramfs|rootfs|squashfs|overlay|efivarfs|devfs|autofs|iso9660|udf|fuse\..*portal)$/i

/** The file systems with space of their own, one for each device, with the shortest of its mount points. */
export function realDisks(
  fileSystems: readonly FileSystem[],
): { name: string; totalBytes: number; freeBytes: number }[] {
  const byDevice = new Map<string, FileSystem>()
  for (const fileSystem of fileSystems) {
    // A container's root is an overlay: all that is known of the disk below.
    if (!(fileSystem.size > 0) || (NOT_REAL.test(fileSystem.type) && fileSystem.mount !== '/')) continue
    const device = deviceOf(fileSystem, fileSystems)
    const known = byDevice.get(device)
    if (known === undefined || fileSystem.mount.length < known.mount.length) byDevice.set(device, fileSystem)
  }
  return [...byDevice.values()]
    .map(({ mount, size, available }) => ({ name: mount, totalBytes: size, freeBytes: Math.max(0, available) || 0 }))
    .sort((a, b) => a.name < b.name ? -1 : 1)
}

/**
 * Identifies file systems that share their space: volumes of one APFS container, data sets of one ZFS pool, mounts of
 * one device, and an overlay with the disk below it, which a container sees under single files such as /etc/hosts.
 */
function deviceOf({ fs, type, size }: FileSystem, all: readonly FileSystem[]): string {
  if (type === 'overlay') return all.find((other) => other.type !== type && other.size === size)?.fs ?? fs
  if (/^apfs$/i.test(type)) return fs.replace(/^(\/dev\/disk\d+)s.*/, '$1')
  if (/^zfs$/i.test(type)) return fs.replace(/\/.*/, '')
  return fs
}
