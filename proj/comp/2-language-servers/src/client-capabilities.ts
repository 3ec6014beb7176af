import { POSITION_ENCODINGS } from './protocol-positions.js'

/** What hermes can do as a client (LSP 3.17 `ClientCapabilities`). */
export const CAPABILITIES = {
  general: { positionEncodings: POSITION_ENCODINGS },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: [], failureHandling: 'abort' },
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    definition: { linkSupport: true },
    references: {},
    rename: { prepareSupport: false },
    publishDiagnostics: { versionSupport: true },
    diagnostic: { dynamicRegistration: false, relatedDocumentSupport: false },
  },
  window: { workDoneProgress: true, showDocument: { support: false } },
} as const
