import type { ActionResult } from '../../0-contracts/src/index.js'
import { subjectOf } from './subject.js'

type Called = Pick<ActionResult, 'action' | 'params' | 'ranAs'>

/** What was called: of another harness's tool also the verb that ran in its place. */
export function actionWords({ action, ranAs }: Called): string {
  const verb = ranAs?.[0]?.action
  return verb === undefined ? action : `${action} → ${verb}`
}

/** As `subjectOf`, by the parameters of what ran. */
export function subjectOfResult({ params, ranAs }: Called, roots?: readonly string[]): string {
  return subjectOf(ranAs?.[0]?.params ?? params, roots)
}
