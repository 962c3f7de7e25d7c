// A rule for `deno lint`: functions are short. A function that is called at once is the wrapper
// of a script, and may be as long as that.

const most = 60;

const isWrapper = (node) => node.parent.type === "CallExpression" && node.parent.callee === node;

function check(context) {
  return (node) => {
    const [from, to] = node.range;
    const lines = context.sourceCode.text.slice(from, to).split("\n").length;
    if (lines <= most || isWrapper(node)) return;
    context.report({ node, message: `A function of ${lines} lines; ${most} are enough.` });
  };
}

export default {
  name: "house",
  rules: {
    "short-functions": {
      create: (context) => ({
        ArrowFunctionExpression: check(context),
        FunctionDeclaration: check(context),
        FunctionExpression: check(context),
      }),
    },
  },
};
