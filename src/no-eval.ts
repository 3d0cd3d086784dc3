import { config } from 'zod'

// Must be imported before any schema is built: zod would try `new Function`, which violates our
// Content-Security-Policy.
config({ jitless: true })
