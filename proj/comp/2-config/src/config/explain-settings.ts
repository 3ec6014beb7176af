import { realpathSync } from 'node:fs'
import { caughtLater, HermesError } from '../../../0-contracts/src/index.js'
import { configFiles, readConfig, type ConfigFile } from './config-files.js'
import { explainAgent } from './agent/explain-agent.js'
import { explainPolicy, type ExplainedField } from './explain-policy.js'
import { CONFIG_VERSION } from './config-version.js'
import { migratePolicy } from './migrate-policy.js'
import { parsePolicy } from './parse-policy.js'

/** Each effective setting in a root with its source: the policy, and the agent's settings. */
export async function explainSettings(root: string): Promise<{ fields: ExplainedField[]; warnings: string[] }> {
  const policy = await explainPolicy(realpathSync(root))
  const agent = await explainAgent()
  return { fields: [...policy.fields, ...agent.fields], warnings: [...policy.warnings, ...agent.warnings] }
}

/** Problems of the files that apply to a root: unreadable, without effect, or outdated. */
export async function configProblems(root: string): Promise<string[]> {
  const problems: string[] = []
  for (const file of configFiles(root).filter(({ exists }) => exists)) problems.push(...await problemsOf(file))
  if (problems.length > 0) return problems
  return await caughtLater(HermesError, async () => (await explainSettings(root)).warnings, (error) => [error.message])
}

async function problemsOf(file: ConfigFile): Promise<string[]> {
  return caughtLater(HermesError, async () => {
    const content = readConfig(file)
    const { values, place } = await parsePolicy(content.text, content.name, content.directory)
    const version = values._config_version
    if (version !== undefined && version > CONFIG_VERSION) {
      return [`${place('_config_version')}: the file is of version ${version}, `
        + `and this hermes knows ${CONFIG_VERSION}: update hermes`]
    }
    // A file without a version was written for the first version.
    const { steps } = version === undefined ? { steps: [] } : await migratePolicy(content)
    return steps.length === 0 ? []
      : [`${file.name}: it is of version ${version}: hermes config migrate brings it to ${CONFIG_VERSION}`]
  }, ({ message, hint = '' }) => {
    // The hint lists all problems from its second line on.
    const [, ...others] = hint.split('\n').filter((line) => line !== 'Also:')
    return [message, ...others]
  })
}
