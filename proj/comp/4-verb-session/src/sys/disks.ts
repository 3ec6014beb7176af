/** A mounted file system. */
export interface FileSystem {
  /** The device, the share, or the kind where there is neither. */
  fs: string
  type: string
  /** Bytes. */
  size: number
  /** Bytes. */
  available: number
  mount: string
}

/** Seed 000 `DiskInfo`. */
export interface DiskInfo {
  name: string
  totalBytes: number
  freeBytes: number
}

/** File systems that live in memory, show others, or are part of the kernel. */
const NOT_REAL = /^(?:tmpfs|devtmpfs|ramfs|rootfs|squashfs|overlay|efivarfs|devfs|autofs|iso9660|udf|fuse\..*portal)$/i

/** The file systems with room of their own, one for each device, under the shortest of its mount points. */
export function realDisks(fileSystems: readonly FileSystem[]): DiskInfo[] {
  const byDevice = new Map<string, FileSystem>()
  for (const one of fileSystems) {
    // The root of a container is an overlay: the only thing known of the disk below.
    if (!(one.size > 0) || (NOT_REAL.test(one.type) && one.mount !== '/')) continue
    const device = deviceOf(one, fileSystems)
    const known = byDevice.get(device)
    if (known === undefined || one.mount.length < known.mount.length) byDevice.set(device, one)
  }
  return [...byDevice.values()]
    .map(({ mount, size, available }) => ({ name: mount, totalBytes: size, freeBytes: Math.max(0, available) || 0 }))
    .sort((a, b) => a.name < b.name ? -1 : 1)
}

/**
 * What shares its room: volumes of one APFS container, data sets of one ZFS pool, mounts of one device, and an overlay
 * with the disk it lies on, which a container sees under single files such as /etc/hosts.
 */
function deviceOf({ fs, type, size }: FileSystem, all: readonly FileSystem[]): string {
  if (type === 'overlay') return all.find((other) => other.type !== type && other.size === size)?.fs ?? fs
  if (/^apfs$/i.test(type)) return fs.replace(/^(\/dev\/disk\d+)s.*/, '$1')
  if (/^zfs$/i.test(type)) return fs.replace(/\/.*/, '')
  return fs
}
