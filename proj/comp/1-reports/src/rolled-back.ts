import type { ExecutionResult } from '../../0-contracts/src/index.js'

type RolledBack = NonNullable<ExecutionResult['rolledBack']>

const FOR_PEOPLE: Record<`${RolledBack}`, string> = {
  true: 'Rolled back: the files are as they were before the run.',
  files: 'Rolled back: files are as they were before the run, as far as git knows them; what else commands did stays.',
  partly: 'Rolled back in part: the notes say what is left of the run.',
}

const FOR_MODELS: Record<`${RolledBack}`, string> = {
  true: 'The run was atomic: what its blocks had changed was put back, so nothing is done.',
  files: 'The run was atomic: what its blocks had changed in files was put back; what else commands did stays.',
  partly: 'The run was atomic, but not everything its blocks had changed could be put back: look before you go on.',
}

/** Whether everything is as before an atomic run that failed, in one line; empty where it was not rolled back. */
export function rolledBackLine({ rolledBack }: ExecutionResult): string[] {
  return rolledBack === undefined ? [] : [FOR_PEOPLE[`${rolledBack}`]]
}

/** The same for a model. */
export function rolledBackFeedback({ rolledBack }: ExecutionResult): string[] {
  return rolledBack === undefined ? [] : [FOR_MODELS[`${rolledBack}`]]
}
