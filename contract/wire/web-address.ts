/** Whether a text is an http or https URL. A URL parser removes line breaks and tabs, so it would accept them. */
export const isWebAddress = (text: string) => /^https?:\/\//i.test(text) && !/\p{Cc}/u.test(text) && URL.canParse(text)
