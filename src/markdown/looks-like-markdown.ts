/** Whether rendering would change the text. Most sentences have no markup, so they need no parser. */
export const looksLikeMarkdown = (text: string) =>
  /[*_`~[\]<|\\]|&\w|^\s{0,3}(#{1,6}\s|>|[-+]\s|\d{1,9}[.)]\s|[-=]{3})|^(\t| {4})|https?:|www\.|\n[ \t]*\n/m.test(text)
