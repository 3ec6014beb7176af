/** What a promise resolves to; it is in the set until it is settled. */
export async function tracked<T>(running: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  running.add(promise)
  try {
    return await promise
  } finally {
    running.delete(promise)
  }
}
