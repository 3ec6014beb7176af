/** A time with the zone that it is told in, e.g. `2026-12-01 09:00:00 Europe/Berlin`. Default: that of the system. */
export function shownTime(ms: number | undefined, zone?: string): string {
  if (ms === undefined) return 'never'
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short', timeStyle: 'medium', ...(zone !== undefined && { timeZone: zone }),
  })
  return `${format.format(new Date(ms))} ${format.resolvedOptions().timeZone}`
}
