/**
 * Faults that can be planted in a source file, one at a time: each is a mistake that somebody could make, and that compiles
 * in most cases. A test that notices none of them proves little.
 */
import ts from 'typescript-5';

export interface Mutation {
  /** the kind, as in KINDS */
  kind: Kind;
  /** 1 for the first line */
  line: number;
  /** offsets in the text, from inclusive, to exclusive */
  from: number;
  to: number;
  replacement: string;
}

export const KINDS = [
  'comparison turned',
  'limit of a comparison moved',
  'and for or',
  'negation dropped',
  'constant off by one',
  'await lost',
  'guard dropped',
  'call dropped',
  'branches exchanged',
  'last item dropped',
  'property dropped',
  'filter dropped',
  'some for every',
  'first for last',
] as const;
export type Kind = (typeof KINDS)[number];

const TURNED = new Map([
  ['===', '!=='],
  ['!==', '==='],
]);
const MOVED = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);
const LOGIC = new Map([
  ['&&', '||'],
  ['||', '&&'],
]);
const METHODS = new Map<string, [Kind, string]>([
  ['some', ['some for every', 'every']],
  ['every', ['some for every', 'some']],
  ['min', ['first for last', 'max']],
  ['max', ['first for last', 'min']],
  ['find', ['first for last', 'findLast']],
]);

/** Messages and logs are read by people: a test of each word would only repeat it. */
const isTold = (call: ts.CallExpression) => /^(?:log|console)\b/.test(call.expression.getText());

const isLeaving = (statement: ts.Statement): boolean =>
  ts.isReturnStatement(statement) ||
  ts.isThrowStatement(statement) ||
  ts.isContinueStatement(statement) ||
  (ts.isBlock(statement) && statement.statements.some(isLeaving));

const isOptional = (property: ts.ObjectLiteralElementLike) =>
  ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property);

type Found = [Kind, ts.Node, string];

function ofBinary(node: ts.BinaryExpression): Found[] {
  const sign = node.operatorToken.getText();
  const as = (kind: Kind, other: string | undefined): Found[] =>
    other === undefined ? [] : [[kind, node.operatorToken, other]];
  return [
    ...as('comparison turned', TURNED.get(sign)),
    ...as('limit of a comparison moved', MOVED.get(sign)),
    ...as('and for or', LOGIC.get(sign)),
  ];
}

function ofCall(node: ts.CallExpression): Found[] {
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  if (name.text === 'filter' && node.arguments.length === 1) return [['filter dropped', node, expression.getText()]];
  const [kind, other] = METHODS.get(name.text) ?? [];
  return kind === undefined || other === undefined ? [] : [[kind, name, other]];
}

function ofStatement(node: ts.Node): Found[] {
  if (ts.isIfStatement(node) && !node.elseStatement && isLeaving(node.thenStatement)) {
    return [['guard dropped', node.expression, 'false as boolean']];
  }
  if (!ts.isExpressionStatement(node)) return [];
  const isAwaited = ts.isAwaitExpression(node.expression);
  const call = isAwaited ? node.expression.expression : node.expression;
  if (!ts.isCallExpression(call) || isTold(call)) return [];
  return [
    ['call dropped', node, ';'],
    ...(isAwaited ? [['await lost', node, `void ${call.getText()};`] satisfies Found] : []),
  ];
}

function ofLiteral(node: ts.Node): Found[] {
  if (ts.isNumericLiteral(node) && !ts.isLiteralTypeNode(node.parent)) {
    return [['constant off by one', node, String(Number(node.text) + 1)]];
  }
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) {
    const kept = node.elements.slice(0, -1).map((element) => element.getText());
    return [['last item dropped', node, `[${kept.join(', ')}]`]];
  }
  if (ts.isObjectLiteralExpression(node) && node.properties.length > 1) {
    const last = node.properties.at(-1);
    if (!last || !isOptional(last)) return [];
    return [
      [
        'property dropped',
        node,
        `{ ${node.properties
          .slice(0, -1)
          .map((one) => one.getText())
          .join(', ')} }`,
      ],
    ];
  }
  return [];
}

function mutationsOfNode(node: ts.Node): Found[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node);
  if (ts.isCallExpression(node)) return ofCall(node);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [['negation dropped', node, `!!${node.operand.getText()}`]];
  }
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [node.whenTrue.getText(), node.whenFalse.getText()];
    return [['branches exchanged', node, `${node.condition.getText()} ? ${no} : ${yes}`]];
  }
  return [...ofStatement(node), ...ofLiteral(node)];
}

/**
 * @param path decides whether the text has JSX
 * @returns all faults that can be planted in a text, in the order of their places
 */
export function mutationsOf(path: string, text: string): Mutation[] {
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    for (const [kind, at, replacement] of mutationsOfNode(node)) {
      const from = at.getStart();
      const line = source.getLineAndCharacterOfPosition(from).line + 1;
      found.push({ kind, line, from, to: at.getEnd(), replacement });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

export const plant = (text: string, { from, to, replacement }: Mutation): string =>
  text.slice(0, from) + replacement + text.slice(to);
