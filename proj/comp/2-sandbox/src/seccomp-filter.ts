import { existsSync } from 'node:fs'

/** Numbers of the system calls that are looked at, in one way to call the kernel. */
interface Calls {
  /** `AUDIT_ARCH_*` of the kernel. */
  architecture: number
  /** `add_key`, `request_key`, `keyctl`. */
  keys: readonly number[]
  /** `socket`, `socketpair`. */
  sockets: readonly number[]
  /** `socketcall`, of 32 bits: its arguments are in memory, where no filter looks. */
  socketcall?: number
}

/** Of each machine its own calls, and those of its programs of 32 bits. */
const CALLS: Partial<Record<string, readonly Calls[]>> = {
  x64: [
    { architecture: 0xc000003e, keys: [248, 249, 250], sockets: [41, 53] },
    { architecture: 0x40000003, keys: [286, 287, 288], sockets: [359, 360], socketcall: 102 },
  ],
  arm64: [
    { architecture: 0xc00000b7, keys: [217, 218, 219], sockets: [198, 199] },
    { architecture: 0x40000028, keys: [309, 310, 311], sockets: [281, 288] },
  ],
}
/** `io_uring_setup`, `io_uring_enter`, `io_uring_register`: the same everywhere. */
const IO_URING = [425, 426, 427]
/** Sockets between a virtual machine and its host, which no namespace of networks holds. */
const AF_VSOCK = 40
/** What `socketcall` is asked for: `socket`, `socketpair`. */
const SOCKETCALLS = [1, 8]
/** Calls of x32 are those of x86-64 with this bit. */
const X32_BIT = 0x40000000

// Instructions of classic BPF, and what a filter answers (linux/filter.h, linux/seccomp.h).
const LOAD_WORD = 0x20
const AND = 0x54
const IF_EQUAL = 0x15
const RETURN = 0x06
const ALLOW = 0x7fff0000
const FAIL_WITH = 0x00050000
const EPERM = 1
/** Programs then do without, as on an older kernel. */
const ENOSYS = 38
const EAFNOSUPPORT = 97
// Where the parts of a call are (linux/seccomp.h: seccomp_data).
const CALL_NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

/** An instruction: code, constant, and the label to go on at where it is equal, and where it is not. */
type Instruction = readonly [
  code: number, constant: number, whenTrue?: string | undefined, whenFalse?: string | undefined,
]

/**
 * Keeps from a program what no namespace does: the keys that the kernel keeps for its user and session (Kerberos
 * tickets, passphrases), sockets to the host of a virtual machine, and io_uring, whose requests are no system calls and
 * so pass every filter. In the form `bwrap --seccomp` reads.
 *
 * @returns `undefined` for architectures that are not known here, and on kernels without filters
 */
export function seccompFilter(architecture: string = process.arch): Uint8Array | undefined {
  const all = CALLS[architecture]
  if (all === undefined || !existsSync('/proc/sys/kernel/seccomp/actions_avail')) return undefined
  return encoded([...all.flatMap(sectionOf), [RETURN, ALLOW]])
}

function sectionOf({ architecture, keys, sockets, socketcall }: Calls): (Instruction | string)[] {
  const label = (name: string) => `${name} ${architecture}`
  const when = (numbers: readonly number[], name: string) => (
    numbers.map((number): Instruction => [IF_EQUAL, number, label(name)])
  )
  return [
    [LOAD_WORD, ARCHITECTURE],
    [IF_EQUAL, architecture, undefined, label('end')],
    [LOAD_WORD, CALL_NUMBER],
    [AND, ~X32_BIT >>> 0],
    ...when(keys, 'refused'), ...when(IO_URING, 'unknown'), ...when(sockets, 'socket'),
    ...when(socketcall === undefined ? [] : [socketcall], 'socketcall'),
    [RETURN, ALLOW],
    label('refused'), [RETURN, FAIL_WITH | EPERM],
    label('unknown'), [RETURN, FAIL_WITH | ENOSYS],
    label('socket'), [LOAD_WORD, FIRST_ARGUMENT], [IF_EQUAL, AF_VSOCK, label('family')], [RETURN, ALLOW],
    label('family'), [RETURN, FAIL_WITH | EAFNOSUPPORT],
    label('socketcall'), [LOAD_WORD, FIRST_ARGUMENT], ...when(SOCKETCALLS, 'refused socketcall'), [RETURN, ALLOW],
    label('refused socketcall'), [RETURN, FAIL_WITH | EPERM],
    label('end'),
  ]
}

/** Each instruction: code (16 bits), jump if true, jump if false (8 bits each), constant (32 bits). */
function encoded(program: readonly (Instruction | string)[]): Uint8Array {
  const instructions: Instruction[] = []
  const places = new Map<string, number>()
  for (const step of program) {
    if (typeof step === 'string') places.set(step, instructions.length)
    else instructions.push(step)
  }
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, [code, constant, whenTrue, whenFalse]] of instructions.entries()) {
    const jump = (label: string | undefined) => (label === undefined ? 0 : (places.get(label) ?? 0) - index - 1)
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jump(whenTrue), index * 8 + 2)
    bytes.writeUInt8(jump(whenFalse), index * 8 + 3)
    bytes.writeUInt32LE(constant, index * 8 + 4)
  }
  return bytes
}
