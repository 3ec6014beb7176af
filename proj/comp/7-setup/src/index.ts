export { examine, examineToolsets, renderFindings, renderToolsets } from './doctor/index.js'
export {
  askSetup, askValue, commitOf, describeFile, describeUpdate, ownInstallation, plannedSteps, removeUserFiles,
  renderSetup, renderStatus, requireKnownVariable, requireUpdatable, serviceProcess, serviceStates, settingsAdvice,
  settingsState, takeStep, typed, userFiles, verifyKey, whyNoPull, writeSetup,
} from './setup/index.js'
export type { DialogueStreams, Installation, KeyVerdict, SetupChanges, Step } from './setup/index.js'
export {
  bashCompletion, commandsPage, explain, fishCompletion, manPage, topicPage, TOPIC_GROUPS, TOPICS, zshCompletion,
} from './help-texts/index.js'
export type { CommandText, CompletionTable, Flag, Topic } from './help-texts/index.js'
