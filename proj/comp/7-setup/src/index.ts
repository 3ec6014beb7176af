export { examine, examineToolsets, renderFindings, renderToolsets } from './doctor/index.js'
export {
  askSetup, askValue, commitOf, describeFile, describeUpdate, ownInstallation, plannedSteps, removeUserFiles,
  renderSetup, renderStatus, requireKnownVariable, requireUpdatable, serviceProcess, serviceStates, settingsAdvice,
  settingsState, takeStep, typed, userFiles, verifyKey, whyNoPull, writeSetup,
} from './setup/index.js'
export type { DialogueStreams, Installation, KeyVerdict, SetupChanges, Step } from './setup/index.js'
export {
  commandsPage, explain, manPage, topicPage, TOPIC_GROUPS, TOPICS,
} from './help-texts/index.js'
export { bashCompletion, fishCompletion, powershellCompletion, zshCompletion } from './completion/index.js'
export type { CompletionTable } from './completion/index.js'
export type { CommandText, Flag, Topic } from './help-texts/index.js'
