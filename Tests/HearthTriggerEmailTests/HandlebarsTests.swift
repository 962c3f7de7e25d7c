import HearthTriggerEmail
import HearthWire
import Testing

@Suite struct `A template` {
  struct Sample: Sendable, CustomTestStringConvertible {
    let template: String
    let context: JSON
    let text: String

    init(_ template: String, context: JSON, text: String) {
      self.template = template
      self.context = context
      self.text = text
    }

    var testDescription: String { template }
  }

  static let values: [Sample] = [
    Sample("Hello {{name}}!", context: ["name": "Ada"], text: "Hello Ada!"),
    Sample("{{a.b}} {{a/b}} {{this.a.b}} {{./a.b}}", context: ["a": ["b": 7]], text: "7 7 7 7"),
    Sample("{{a.[b c]}} {{[x-y]}}", context: ["a": ["b c": 1], "x-y": 2], text: "1 2"),
    Sample("[{{missing}}] [{{a.b.c}}] [{{n}}]", context: ["n": .null], text: "[] [] []"),
    Sample(
      "{{yes}} {{no}} {{zero}} {{list}} {{map}}",
      context: ["yes": true, "no": false, "zero": 0, "list": [1, [2, 3]], "map": ["a": 1]],
      text: "true false 0 1,2,3 [object Object]"),
    Sample(
      "{{x}} {{{x}}} {{&x}}", context: ["x": "<a href=\"'`&\">"],
      text: "&lt;a href&#x3D;&quot;&#x27;&#x60;&amp;&quot;&gt; <a href=\"'`&\"> <a href=\"'`&\">"),
    Sample(
      "{{list.[1]}} {{list.length}} {{lookup list 0}} {{lookup map key}}",
      context: ["list": ["a", "b"], "map": ["k": "v"], "key": "k"], text: "b 2 a v"),
    Sample("{{{{{x}}}", context: ["x": 1], text: ""),
    Sample("a\\{{x}} \\\\{{x}}", context: ["x": 1], text: "a{{x}} \\1"),
    Sample("{{! a }}{{!-- b }} --}}c", context: [:], text: "c"),
    Sample("{{\"text\"}} {{12}} {{true}}", context: [:], text: "  "),
    Sample("x {{~y~}} z", context: ["y": 1], text: "x1z"),
  ]

  static let blocks: [Sample] = [
    Sample("{{#if a}}1{{else}}2{{/if}}", context: ["a": 1], text: "1"),
    Sample("{{#if a}}1{{else if b}}2{{else}}3{{/if}}", context: ["b": true], text: "2"),
    Sample("{{#if a}}1{{else if b}}2{{else}}3{{/if}}", context: [:], text: "3"),
    Sample(
      "{{#if e}}1{{/if}}{{#if z}}2{{/if}}{{#if s}}3{{/if}}{{#unless e}}4{{/unless}}",
      context: ["e": [], "z": 0, "s": ""], text: "4"),
    Sample("{{#if z includeZero=true}}1{{/if}}", context: ["z": 0], text: "1"),
    Sample(
      "{{#each l}}{{@index}}{{this}}{{#unless @last}},{{/unless}}{{/each}}",
      context: ["l": ["a", "b"]], text: "0a,1b"),
    Sample(
      "{{#each m}}{{@key}}={{this}}{{#if @first}};{{/if}}{{/each}}",
      context: ["m": ["a": 1, "b": 2]], text: "a=1;b=2"),
    Sample("{{#each l}}x{{else}}none{{/each}}", context: ["l": []], text: "none"),
    Sample(
      "{{#each l as |item i|}}{{i}}{{item.n}}{{/each}}", context: ["l": [["n": "a"]]], text: "0a"),
    Sample(
      "{{#each l}}{{../t}}{{n}}{{#each k}}{{../../t}}{{../n}}{{this}}{{/each}}{{/each}}",
      context: ["t": "T", "l": [["n": "a", "k": [1]]]], text: "TaTa1"),
    Sample(
      "{{#each l}}{{#if n}}{{../t}}{{/if}}{{/each}}", context: ["t": "T", "l": [["n": 1]]],
      text: "T"),
    Sample(
      "{{#each a}}{{#each b}}{{@../index}}{{@index}} {{/each}}{{/each}}",
      context: ["a": [["b": [1, 2]], ["b": [3]]]], text: "00 01 10 "),
    Sample(
      "{{#with p}}{{n}}{{@root.t}}{{else}}none{{/with}}", context: ["p": ["n": 1], "t": 2],
      text: "12"),
    Sample("{{#with p}}x{{else}}none{{/with}}", context: [:], text: "none"),
    Sample("{{#p}}{{n}}{{/p}}{{^q}}no{{/q}}", context: ["p": ["n": 1]], text: "1no"),
    Sample("{{#l}}{{.}}{{/l}}", context: ["l": [1, 2]], text: "12"),
    Sample("{{#b}}{{x}}{{/b}}", context: ["b": true, "x": 1], text: "1"),
    Sample("a\n{{#if x}}\nb\n{{/if}}\nc\n", context: ["x": true], text: "a\nb\nc\n"),
    Sample(
      "a\n  {{#each l}}  \r\n{{this}}\n  {{/each}}\nc", context: ["l": [1, 2]], text: "a\n1\n2\nc"),
    Sample("{{#if (lookup m 'k')}}y{{/if}}", context: ["m": ["k": true]], text: "y"),
    Sample("{{#each this}}{{this}}{{/each}}", context: [1, 2], text: "12"),
  ]

  @Test(arguments: values + blocks)
  func `has values and blocks`(_ sample: Sample) throws {
    guard sample.template != "{{{{{x}}}" else {
      #expect(throws: HandlebarsError.self) { try HandlebarsTemplate(sample.template) }
      return
    }
    let options = HandlebarsTemplate.Options()
    #expect(
      try HandlebarsTemplate(sample.template).render(sample.context, options: options)
        == sample.text)
  }

  @Test func `is not escaped where it is text`() throws {
    let options = HandlebarsTemplate.Options(escapes: false)
    #expect(try HandlebarsTemplate("{{x}}").render(["x": "<&>"], options: options) == "<&>")
  }

  @Test func `has partials`() throws {
    let partials = [
      "row": try HandlebarsTemplate("<{{n}}{{k}}>\n"),
      "frame": try HandlebarsTemplate("[{{> @partial-block}}]"),
      "endless": try HandlebarsTemplate("{{> endless}}"),
    ]
    let options = HandlebarsTemplate.Options(partials: partials)
    func render(_ text: String) throws -> String {
      try HandlebarsTemplate(text).render(["n": 1, "p": ["n": 2], "w": "row"], options: options)
    }
    #expect(try render("{{> row}}x") == "<1>\nx")
    #expect(try render("{{> row p k='z'}}") == "<2z>\n")
    #expect(try render("{{> (lookup . 'w')}}") == "<1>\n")
    #expect(try render("a\n  {{> row}}\nb") == "a\n  <1>\nb")
    #expect(try render("{{#> frame}}{{n}}{{/frame}}{{#> none}}else{{/none}}") == "[1]else")
    #expect(throws: HandlebarsError("The partial none could not be found")) {
      try render("{{> none}}")
    }
    #expect(throws: HandlebarsError.self) { try render("{{> endless}}") }
  }

  @Test(arguments: [
    ("{{#if a}}", "Parse error: the block if is not closed"),
    ("{{#if a}}{{/each}}", "if doesn't match each"),
    ("{{/if}}", "Parse error: {{/if}} has no block"),
    ("a\n{{x", "Parse error on line 2: a tag is not closed"),
    ("{{a b}}", "Missing helper: \"a\""),
    ("{{#a b}}{{/a}}", "Missing helper: \"a\""),
    ("{{#if}}{{/if}}", "#if requires exactly one argument"),
    ("{{#each}}{{/each}}", "Must pass iterator to #each"),
    ("{{a b=}}", "Parse error: 'a b=' is not an expression"),
  ])
  func `that is wrong says why`(template: String, message: String) {
    #expect(throws: HandlebarsError(message)) {
      try HandlebarsTemplate(template).render([:])
    }
  }

  @Test func `can insist on its values`() throws {
    let options = HandlebarsTemplate.Options(isStrict: true)
    #expect(try HandlebarsTemplate("{{a}}").render(["a": 1], options: options) == "1")
    #expect(throws: HandlebarsError("\"b\" not defined")) {
      try HandlebarsTemplate("{{a.b}}").render(["a": [:]], options: options)
    }
  }
}
