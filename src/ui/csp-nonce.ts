/** The nonce of this response's Content-Security-Policy; browsers hide the attribute but keep the property. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

declare global {
  var __webpack_nonce__: string | undefined
}

// react-remove-scroll, below Mantine's Modal, looks for the nonce of its style element here.
globalThis.__webpack_nonce__ = cspNonce
