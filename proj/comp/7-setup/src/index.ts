export { examine, examineToolsets, renderFindings, renderToolsets } from './doctor/index.js'
export {
  askSetup, askValue, commitOf, describeFile, describeUpdate, ownInstallation, plannedSteps, removeUserFiles,
  renderSetup, renderStatus, requireKnownVariable, requireUpdatable, serviceProcess, serviceStates, settingsAdvice,
  settingsState, takeStep, typed, userFiles, verifyKey, whyNoPull, writeSetup, type DialogueStreams, type Installation,
  type KeyVerdict, type SetupChanges, type Step,
} from './setup/index.js'
export {
  commandsPage, explain, manPage, topicPage, TOPIC_GROUPS, TOPICS, type CommandText, type Flag, type Topic,
} from './help-texts/index.js'
export * from './completion/index.js'
