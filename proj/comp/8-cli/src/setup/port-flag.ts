import { usageError, type Arguments } from '../arguments.js'

/** What `--port` says; `undefined` where it is not given. @throws HermesError `INVALID_OPTION` */
export function portFlag(args: Arguments): number | undefined {
  const written = args.value('port')
  if (written === undefined) return undefined
  if (/^\d{1,5}$/.test(written) && Number(written) < 65_536) return Number(written)
  throw usageError(`Invalid port: ${written}`, '--port is a number from 0 (any free one) to 65535.')
}
