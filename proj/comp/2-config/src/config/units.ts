const SIZES: Readonly<Record<string, number>> = {
  '': 1, b: 1, kb: 2 ** 10, kib: 2 ** 10, mb: 2 ** 20, mib: 2 ** 20, gb: 2 ** 30, gib: 2 ** 30, tb: 2 ** 40,
  tib: 2 ** 40,
}
const TIMES: Readonly<Record<string, number>> = { ms: 1, '': 1000, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }

/** Bytes of `512`, `10MB`, `1.5 GiB` (powers of 1,024 throughout, as seed 002's "10MB"), or `undefined`. */
export function bytesOf(written: number | string): number | undefined {
  return amount(written, SIZES)
}

/** Milliseconds of `90` (seconds), `90s`, `500ms`, `5m`, `1h`, or `undefined`. */
export function millisecondsOf(written: number | string): number | undefined {
  return amount(written, TIMES)
}

/** At least 1 and exact, or nothing. */
function amount(written: number | string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]{0,3})$/i.exec(String(written)) ?? []
  const name = unit.toLowerCase()
  if (digits === '' || !Object.hasOwn(units, name)) return undefined
  const value = Math.round(Number(digits) * (units[name] ?? NaN))
  return Number.isSafeInteger(value) && value >= 1 ? value : undefined
}

/** The shortest way to write bytes: `10MB`, `1000`. */
export function bytesInWords(bytes: number): string {
  return inWords(bytes, [['TB', 2 ** 40], ['GB', 2 ** 30], ['MB', 2 ** 20], ['KB', 2 ** 10]], '')
}

/** The shortest way to write milliseconds: `1h`, `90s`, `500ms`. */
export function millisecondsInWords(milliseconds: number): string {
  return inWords(milliseconds, [['h', 3_600_000], ['m', 60_000], ['s', 1000]], 'ms')
}

function inWords(value: number, units: readonly (readonly [string, number])[], smallest: string): string {
  const [name, size] = units.find(([, unit]) => value >= unit && value % unit === 0) ?? [smallest, 1]
  return `${value / size}${name}`
}
