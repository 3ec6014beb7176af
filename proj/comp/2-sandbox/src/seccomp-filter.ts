import { existsSync } from 'node:fs'

/** `add_key`, `request_key` and `keyctl` by architecture (`AUDIT_ARCH_*` of the kernel). */
const KEY_CALLS: Partial<Record<string, readonly (readonly [architecture: number, calls: readonly number[]])[]>> = {
  x64: [
    [0xc000003e, [248, 249, 250]],
    [0x40000003, [286, 287, 288]],
  ],
  arm64: [
    [0xc00000b7, [217, 218, 219]],
    [0x40000028, [309, 310, 311]],
  ],
}
/** Calls of x32 are those of x86-64 with this bit. */
const X32_BIT = 0x40000000

// Instructions of classic BPF, and what a filter answers (linux/filter.h, linux/seccomp.h).
const LOAD_WORD = 0x20
const AND = 0x54
const IF_EQUAL = 0x15
const RETURN = 0x06
const ALLOW = 0x7fff0000
const FAIL_WITH_EPERM = 0x00050001
const CALL_NUMBER = 0
const ARCHITECTURE = 4

/**
 * Keeps a program from the keys that the kernel keeps for its user and session (Kerberos tickets, passphrases): no
 * namespace does. In the form `bwrap --seccomp` reads.
 *
 * @returns `undefined` for architectures that are not known here, and on kernels without filters
 */
export function seccompFilter(architecture: string = process.arch): Uint8Array | undefined {
  const calls = KEY_CALLS[architecture]
  if (calls === undefined || !existsSync('/proc/sys/kernel/seccomp/actions_avail')) return undefined
  const sections = calls.map(([id, numbers]) => [
    // Past this section where it is another architecture.
    [LOAD_WORD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 0, numbers.length + 4, id],
    [LOAD_WORD, 0, 0, CALL_NUMBER],
    [AND, 0, 0, ~X32_BIT >>> 0],
    ...numbers.map((number, index) => [IF_EQUAL, numbers.length - index, 0, number]),
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, FAIL_WITH_EPERM],
  ])
  return encoded([...sections.flat(), [RETURN, 0, 0, ALLOW]])
}

/** Each instruction: code (16 bits), jump if true, jump if false (8 bits each), constant (32 bits). */
function encoded(instructions: readonly (readonly number[])[]): Uint8Array {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, [code = 0, whenTrue = 0, whenFalse = 0, constant = 0]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(whenTrue, index * 8 + 2)
    bytes.writeUInt8(whenFalse, index * 8 + 3)
    bytes.writeUInt32LE(constant, index * 8 + 4)
  }
  return bytes
}
