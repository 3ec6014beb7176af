import { type ApprovedPath, HermesError } from '../../../0-contracts/src/index.js'

/**
 * Acts on a file; failures name it as the model wrote it, not by its canonical path.
 *
 * @param shownPath the path as the model wrote it
 */
export function namedAs<T>(shownPath: string, path: ApprovedPath, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw errorNamedAs(error, shownPath, path)
  }
}

/** The same for a file that is read piece by piece. */
export async function* chunksNamedAs(
  shownPath: string, path: ApprovedPath, chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw errorNamedAs(error, shownPath, path)
  }
}

/** The error, with the file named as the model wrote it. */
export function errorNamedAs(error: unknown, shownPath: string, path: ApprovedPath): unknown {
  if (!(error instanceof HermesError) || !error.message.includes(path)) return error
  const { code, message, hint, data } = error
  return new HermesError(code, message.replace(path, () => shownPath), { hint, data, cause: error })
}
