export {
  addDialects, allowedBefore, applyUserEnvironment, bytesToMend, changeConfig, checkPolicyOption, chosenFile,
  CONFIG_VERSION, configFiles, configProblems, decidingPolicy, DEFAULT_LIMITS, DEFAULT_POLICY, draftFor, ENV_VARIABLES,
  explainAgent, explainPolicy, explainSettings, givenServers, hermesHome, hermesSecrets, hookCommand, isOpenToOthers,
  isSecretVariable, keptOptions, keyFor, keyHeaders, keyValue, loadPolicy, makeOwnDirectory, migratePolicy,
  NEW_POLICY_FILE, ANTHROPIC, MODEL_APIS, OPENAI, OPENROUTER, ownSecrets, parsePolicy, pathOf, POLICY, presetApi,
  presetServer, projectPolicyFiles, readAgentSettings, readConfig, readPolicyFile, recordAllowed, replacePolicyFile,
  settingNames, setValue, shownCommand, shownHome, shownOwnFile, storeAllowedPattern, storeEnvValues, sudoPassword,
  takesPaths, textOfDraft, userExtensions, userPolicyFile, whileLocked, withOwnFile, withPolicyValue, writingOwn,
  type AgentFlags, type AgentSettings, type AllowedList, type ConfigFile, type ConfiguredExtension, type ExplainedField,
  type Hook, type HookCommand, type LoadedPolicy, type ModelApi, type PolicyWishes, type VerbModule,
} from './config/index.js'
export { readCheckedYaml, type CheckedYaml } from './yaml/index.js'
