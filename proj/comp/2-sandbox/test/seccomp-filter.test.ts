import { describe, expect, it } from 'vitest'
import { seccompFilter } from '../src/seccomp-filter.js'

const X64 = 0xc000003e
const I386 = 0x40000003
const ARM64 = 0xc00000b7
const ARM = 0x40000028
const X32_BIT = 0x40000000
const EPERM = 'fails with 1'
const ENOSYS = 'fails with 38'
const EAFNOSUPPORT = 'fails with 97'

/** What a filter says to a call, by the rules of the kernel for the few instructions there are. */
function ruling(filter: Uint8Array, call: { architecture: number; number: number; argument?: number }): string {
  const bytes = Buffer.from(filter)
  const words = new Map([[0, call.number], [4, call.architecture], [16, call.argument ?? 0]])
  let accumulator = 0
  for (let at = 0; ;) {
    const constant = bytes.readUInt32LE(at + 4)
    const [whenTrue, whenFalse] = [bytes.readUInt8(at + 2), bytes.readUInt8(at + 3)]
    const code = bytes.readUInt16LE(at)
    at += 8
    if (code === 0x06) return constant === 0x7fff0000 ? 'allowed' : `fails with ${constant & 0xffff}`
    if (code === 0x20) accumulator = words.get(constant) ?? NaN
    else if (code === 0x54) accumulator = (accumulator & constant) >>> 0
    else if (code === 0x15) at += 8 * (accumulator === constant ? whenTrue : whenFalse)
    else throw new Error(`unknown instruction ${code}`)
  }
}

/** Kernels without filters, and other systems, have none. */
describe.skipIf(seccompFilter('x64') === undefined)('the filter of system calls', () => {
  it.each([
    ['x64', X64, { keys: [248, 249, 250], sockets: [41, 53] }],
    ['x64', I386, { keys: [286, 287, 288], sockets: [359, 360] }],
    ['arm64', ARM64, { keys: [217, 218, 219], sockets: [198, 199] }],
    ['arm64', ARM, { keys: [309, 310, 311], sockets: [281, 288] }],
  ] as const)('of %s denies keys, io_uring and vsock, and nothing else (%i)', (machine, architecture, { keys, sockets }) => {
    const filter = seccompFilter(machine) ?? new Uint8Array()
    const expected = new Map<number, string>([...keys.map(one => [one, EPERM] as const), ...[425, 426, 427].map(one => [one, ENOSYS] as const)])
    for (let number = 0; number < 600; number++) {
      const isSocket = (sockets as readonly number[]).includes(number)
      const isCombined = architecture === I386 && number === 102
      if (!isCombined) {
        expect([number, ruling(filter, { architecture, number, argument: 40 })])
          .toEqual([number, expected.get(number) ?? (isSocket ? EAFNOSUPPORT : 'allowed')])
      }
      for (const argument of [0, 1, 2, 10, 39, 41]) {
        const otherwise = isCombined && argument === 1 ? EPERM : 'allowed'
        expect([number, ruling(filter, { architecture, number, argument })]).toEqual([number, expected.get(number) ?? otherwise])
      }
    }
  })

  it('sees calls of x32 and of socketcall as what they are', () => {
    const filter = seccompFilter('x64') ?? new Uint8Array()
    for (const [number, argument, expected] of [[250, 0, EPERM], [425, 0, ENOSYS], [41, 40, EAFNOSUPPORT], [41, 2, 'allowed'], [0, 0, 'allowed']] as const) {
      expect(ruling(filter, { architecture: X64, number: number + X32_BIT, argument })).toBe(expected)
    }
    for (const [call, expected] of [[1, EPERM], [8, EPERM], [3, 'allowed'], [9, 'allowed']] as const) {
      expect(ruling(filter, { architecture: I386, number: 102, argument: call })).toBe(expected)
    }
  })
})
