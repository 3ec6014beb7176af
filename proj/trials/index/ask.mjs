/** Where a name is defined and used, by find_symbol; without what differs from call to call. */
export async function ask(by, name, withUses = true) {
  const args = { symbol_name: name, include_references: withUses, max_results: 200 }
  const { durationMs: _, ...result } = JSON.parse(await by.execute({ verb: 'find_symbol', arguments: args }))
  if (!result.succeeded) throw new Error(result.errorMessage)
  return { symbols: result.symbols, total: result.total, references: result.references }
}
