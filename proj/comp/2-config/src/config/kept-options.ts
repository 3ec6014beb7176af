import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { caughtLater, formatsOf, HermesError, orNothing, type HermesOptions } from '../../../0-contracts/src/index.js'
import { policySources } from './load-policy.js'
import { keptReading } from './reading-choices.js'

type Reading = Pick<HermesOptions, 'editFormats' | 'mapping'>

/**
 * How files say that answers are read, where these options do not: for what reads an answer outside of a session. Files
 * that cannot be read say nothing here: the run tells what is wrong with them.
 */
export async function keptOptions(
  options: Reading & Pick<HermesOptions, 'root' | 'policy' | 'toolsets'>,
): Promise<Reading> {
  const { root = process.cwd(), policy } = options
  return caughtLater(HermesError, async () => {
    const { user, projects } = await policySources(orNothing(() => realpathSync(root), resolve(root)), policy)
    const kept = keptReading(user, projects)
    return {
      ...(!options.editFormats && kept.formats.length > 0 && { editFormats: formatsOf(options, kept) }),
      ...(!options.mapping && kept.mapping && { mapping: kept.mapping.value }),
    }
  }, () => ({}))
}
