import { HermesError } from '../../contracts/src/index.js'

let failure: NodeJS.ErrnoException | undefined

/**
 * Guards standard output: a reader that went away (`| head`) is no error, and the run goes on without it.
 */
export function guardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error
  })
  // Nobody is left to be told.
  process.stderr.on('error', () => undefined)
}

export function print(text: string): void {
  if (text !== '' && !failure) process.stdout.write(text)
}

export function printError(text: string): void {
  process.stderr.write(text)
}

/** Waits until all is written. @throws HermesError when it cannot be, but for a reader that went away */
export async function flushOutput(): Promise<void> {
  if (!failure) await new Promise<void>(resolve => process.stdout.write('', () => resolve()))
  if (failure && failure.code !== 'EPIPE') {
    throw new HermesError(failure.code ?? 'EIO', `Cannot write to standard output: ${failure.message}`, {
      hint: 'The run itself is not affected; --report FILE keeps its result in a file.',
    })
  }
}

/** Contract section 4: `FORCE_COLOR` over `NO_COLOR` (as Node itself has it) over what the stream is. */
export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (no !== undefined && no !== '') return false
  // A pipe has no colour, also under CI.
  return stream.isTTY === true && term !== 'dumb'
}
