import { z } from 'zod'

/**
 * An address in the one form in which addresses are stored and compared: ASCII in lower case. Other characters are
 * refused before the case changes, because some of them turn into ASCII: the Kelvin sign becomes "k".
 */
export const EmailAddress = z.email('must be an email address').toLowerCase()

/** The address in its stored form, or null for text that is no address. */
export const readEmailAddress = (text: string) => EmailAddress.safeParse(text).data ?? null
