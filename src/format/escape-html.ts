const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as the content or the quoted attribute of an HTML element. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (mark) => entities[mark] ?? mark)
