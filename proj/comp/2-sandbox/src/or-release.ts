/** What `find` returns; where it throws, nothing is left of what was made for it. */
export function orRelease<T>(release: () => void, find: () => T): T {
  try {
    return find()
  } catch (error) {
    release()
    throw error
  }
}

/** As `orRelease`, of what takes its time. */
export async function orReleaseLater<T>(release: () => void, find: () => T | Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    release()
    throw error
  }
}
