import { HermesError, unlessThrown } from '../../../../0-contracts/src/index.js'
import { ChangedOnDisk } from '../../../../3-transaction/src/index.js'

const MOST_LINES = 60

/** The same error; for `CHANGED_ON_DISK` its hint shows what someone else changed, where both are texts. */
export async function withDifference(error: unknown): Promise<unknown> {
  if (!(error instanceof HermesError)) return error
  // A verb may have put the path as the model wrote it into the message.
  const change = error instanceof ChangedOnDisk ? error : error.cause
  if (!(change instanceof ChangedOnDisk)) return error
  const { code, message, hint } = error
  const [before, after] = [textOf(change.known), textOf(change.found)]
  if (before === undefined || after === undefined) return error
  const { createTwoFilesPatch } = await import('diff')
  const lines = createTwoFilesPatch('as this session knew it', 'as it is now', before, after, undefined, undefined, {
    context: 2, timeout: 1000,
  })?.split('\n').slice(1)
  if (!lines) return error
  const cut = lines.length > MOST_LINES
    ? [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more lines`] : lines
  return new HermesError(code, message, {
    hint: `${hint ?? ''} What was changed:\n${cut.join('\n').trimEnd()}`, cause: error,
  })
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined
  return unlessThrown(TypeError, () => new TextDecoder('utf-8', { fatal: true }).decode(bytes), undefined)
}
