/** Releases what a component holds for a task. What it throws is told and stops nothing. */
export type TaskCleanup = (taskId: string) => void | Promise<void>

const everyTask = new Set<TaskCleanup>()

/**
 * For components with state of their own by task, such as shells: called whenever a task of any agent ends.
 *
 * @returns takes it back
 */
export function onTaskEnd(cleanup: TaskCleanup): () => void {
  everyTask.add(cleanup)
  return () => void everyTask.delete(cleanup)
}

/** Runs all of them, the last added first, whatever any of them does. @returns what was thrown */
export async function cleanUp(taskId: string, own: Iterable<TaskCleanup>): Promise<unknown[]> {
  const problems: unknown[] = []
  for (const cleanup of [...everyTask, ...own].toReversed()) {
    try {
      await cleanup(taskId)
    } catch (error) {
      problems.push(error)
    }
  }
  return problems
}
