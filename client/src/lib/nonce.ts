/** The nonce of this page's content security policy, put into a meta tag by the server. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Mantine's modal locks scrolling by a package that looks for the nonce in webpack's global. */
export function shareNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
