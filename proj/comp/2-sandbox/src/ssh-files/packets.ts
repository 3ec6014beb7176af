/** What SFTP calls its messages (version 3, draft-ietf-secsh-filexfer-02): one byte each. */
export const TYPE = {
  init: 1, version: 2, open: 3, close: 4, read: 5, write: 6, lstat: 7, fstat: 8, setstat: 9, fsetstat: 10, opendir: 11,
  readdir: 12, remove: 13, mkdir: 14, rmdir: 15, realpath: 16, rename: 18, readlink: 19,
  status: 101, handle: 102, data: 103, name: 104, attrs: 105, extended: 200,
} as const

/** How a file is opened: bits. */
export const OPEN = { read: 1, write: 2, create: 8, exclusive: 32 } as const

/** Codes of a status. */
export const STATUS = { ok: 0, end: 1, noSuchFile: 2, denied: 3, failure: 4, badMessage: 5, unsupported: 8 } as const

/** What is known of a file there. Seconds, as the protocol has them. */
export interface Attributes {
  size?: number | undefined
  owner?: { uid: number; gid: number } | undefined
  /** With the bits of its kind. */
  mode?: number | undefined
  mtime?: number | undefined
}

const HAS = { size: 1, owner: 2, mode: 4, times: 8, extended: 0x8000_0000 } as const

/** A number of 4 bytes. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** A number of 8 bytes. */
export function uint64(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

/** Bytes behind their length. */
export function string(bytes: Uint8Array | string): Buffer {
  const content = Buffer.from(bytes as Uint8Array)
  return Buffer.concat([uint32(content.length), content])
}

export function attributes({ size, owner, mode }: Attributes): Buffer {
  const flags = (size === undefined ? 0 : HAS.size) | (owner ? HAS.owner : 0) | (mode === undefined ? 0 : HAS.mode)
  return Buffer.concat([
    uint32(flags), ...(size === undefined ? [] : [uint64(size)]),
    ...(owner ? [uint32(owner.uid), uint32(owner.gid)] : []), ...(mode === undefined ? [] : [uint32(mode)]),
  ])
}

/** Reads the fields of a message one after the other. @throws RangeError where it is too short */
export class Fields {
  constructor(private readonly bytes: Buffer, private at = 0) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }

  uint32(): number {
    const value = this.bytes.readUInt32BE(this.at)
    this.at += 4
    return value
  }

  uint64(): number {
    const value = Number(this.bytes.readBigUInt64BE(this.at))
    this.at += 8
    return value
  }

  string(): Buffer {
    const length = this.uint32()
    const end = this.at + length
    if (end > this.bytes.length) throw new RangeError('a field is longer than its message')
    const bytes = this.bytes.subarray(this.at, end)
    this.at = end
    return bytes
  }

  attributes(): Attributes {
    const flags = this.uint32()
    const read: Attributes = {}
    if ((flags & HAS.size) !== 0) read.size = this.uint64()
    if ((flags & HAS.owner) !== 0) read.owner = { uid: this.uint32(), gid: this.uint32() }
    if ((flags & HAS.mode) !== 0) read.mode = this.uint32()
    if ((flags & HAS.times) !== 0) {
      this.uint32()
      read.mtime = this.uint32()
    }
    if ((flags & HAS.extended) !== 0) {
      for (let left = 2 * this.uint32(); left > 0; left--) this.string()
    }
    return read
  }
}
