/** As `undoing`, of what takes its time: where it fails, nothing is left of what was made for it. */
export async function orReleaseLater<T>(release: () => void, find: () => T | Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    release()
    throw error
  }
}
