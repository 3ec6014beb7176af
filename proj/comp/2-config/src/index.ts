export {
  addDialects, allowedBefore, applyUserEnvironment, bytesToMend, changeConfig, checkPolicyOption, chosenFile,
  CONFIG_VERSION, configFiles, configProblems, decidingPolicy, DEFAULT_LIMITS, DEFAULT_POLICY, draftFor,
  ENV_VARIABLES, explainAgent, explainPolicy, explainSettings, hermesHome, hermesSecrets, hookCommand, isOpenToOthers,
  isSecretVariable, keptOptions, keyFor, keyValue, loadPolicy, makeOwnDirectory, migratePolicy, NEW_POLICY_FILE,
  OPENAI, OPENROUTER, ownSecrets, parsePolicy, pathOf, POLICY, projectPolicyFiles, readAgentSettings, readConfig,
  readPolicyFile, recordAllowed, replacePolicyFile, settingNames, setValue, shownCommand, shownHome,
  storeAllowedPattern, storeEnvValues, sudoPassword, takesPaths, textOfDraft, userExtensions, userPolicyFile,
  whileLocked, withOwnFile, withPolicyValue, writingOwn,
} from './config/index.js'
export type {
  AgentSettings, AllowedList, ConfigFile, ConfiguredExtension, ExplainedField, Hook, HookCommand, LoadedPolicy,
  PolicyWishes, VerbModule,
} from './config/index.js'
export { readCheckedYaml } from './yaml/index.js'
export type { CheckedYaml } from './yaml/index.js'
