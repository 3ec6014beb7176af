/** The least that a JSON-RPC server can be: `vscode-jsonrpc` answers with what it was sent. */
import { createMessageConnection } from 'vscode-jsonrpc/node'

const connection = createMessageConnection(process.stdin, process.stdout)
connection.onRequest('echo', params => params)
connection.listen()
