use expect_test::expect;

use crate::support::{check, check_edits};

const OPENAPI: &str = r#"
//- api/openapi.yaml
openapi: 3.0.0
paths:
  /pets/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - $ref: '#/components/parameters/Trace'
      responses:
        '200':
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Pet' }
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string, maxLength: 20 }
                kind: { type: string, enum: [cat, dog] }
      responses: { '201': { description: made } }
components:
  parameters:
    Trace: { name: X-Trace, in: header, required: true, schema: { type: string } }
  schemas:
    Pet:
      type: object
      required: [id]
      properties:
        id: { type: string }
        owner: { type: string, nullable: true }
        parent: { $ref: '#/components/schemas/Pet' }
"#;

#[test]
fn ve7_an_openapi_file_is_read() {
    check(
        OPENAPI,
        &expect![[r#"
        api/openapi.yaml (OpenAPI)
          operation GET /pets/{}: 
          response GET /pets/{} 200: 
          field GET /pets/{} 200.id: string, required
          field GET /pets/{} 200.owner: string or null
          field GET /pets/{} 200.parent: object
          parameter GET /pets/{} header X-Trace: string, required
          parameter GET /pets/{}?limit: integer
          operation POST /pets/{}: 
          response POST /pets/{} 201: 
          parameter POST /pets/{} body: object, required
          field POST /pets/{} body.kind: string
          enum value POST /pets/{} body.kind = "cat": 
          enum value POST /pets/{} body.kind = "dog": 
          field POST /pets/{} body.name: string, required
          constraint POST /pets/{} body.name maxLength: 20
    "#]],
    );
}

#[test]
fn ve7_every_change_of_an_openapi_file_is_told() {
    check_edits(
        OPENAPI,
        &[
            ("enum: [cat, dog]", "enum: [cat]"),
            ("enum: [cat, dog]", "enum: [cat, dog, fish]"),
            ("required: [name]", "required: [name, kind]"),
            ("required: [id]", "required: []"),
            (
                "{ name: limit, in: query, schema",
                "{ name: limit, in: query, required: true, schema",
            ),
            ("        owner: { type: string, nullable: true }\n", ""),
            ("maxLength: 20", "maxLength: 10"),
            ("/pets/{id}:", "/pets/{petId}:"),
            ("/pets/{id}:", "/animals/{id}:"),
            ("'201': { description: made }", "'201': { description: it was made }"),
        ],
        &expect![[r##"
            # enum: [cat]
            ! removed: the enum value `POST /pets/{} body.kind = "dog"` of `api/openapi.yaml` was removed (api/openapi.yaml:25)
            # enum: [cat, dog, fish]
            ~ widened: the enum value `POST /pets/{} body.kind = "fish"` of `api/openapi.yaml` was added (api/openapi.yaml:25)
            # required: [name, kind]
            ! narrowed: the field `POST /pets/{} body.kind` of `api/openapi.yaml` is required now (api/openapi.yaml:22)
            # required: []
            ! narrowed: the field `GET /pets/{} 200.id` of `api/openapi.yaml` may be missing now (api/openapi.yaml:3)
            # { name: limit, in: query, required: true, schema
            ! narrowed: the parameter `GET /pets/{}?limit` of `api/openapi.yaml` is required now (api/openapi.yaml:8)
            # -         owner: { type: string, nullable: true }
            ! removed: the field `GET /pets/{} 200.owner` of `api/openapi.yaml` was removed (api/openapi.yaml:36)
            # maxLength: 10
            ! changed: the constraint `POST /pets/{} body.name maxLength` of `api/openapi.yaml` is `10` instead of `20` (api/openapi.yaml:24)
            # /pets/{petId}:
            no change
            # /animals/{id}:
            ~ added: the operation `GET /animals/{}` of `api/openapi.yaml` was added (api/openapi.yaml:3)
            ! removed: the operation `GET /pets/{}` of `api/openapi.yaml` was removed (api/openapi.yaml:3)
            ~ added: the operation `POST /animals/{}` of `api/openapi.yaml` was added (api/openapi.yaml:3)
            ! removed: the operation `POST /pets/{}` of `api/openapi.yaml` was removed (api/openapi.yaml:3)
            # '201': { description: it was made }
            no change
        "##]],
    );
}

#[test]
fn ve7_a_json_schema_is_read_and_compared() {
    let schema = r##"
//- config.schema.json
{ "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["port"],
  "properties": { "port": { "type": "integer", "minimum": 1 }, "mode": { "enum": ["fast", "slow"] },
    "hosts": { "type": "array", "items": { "$ref": "#/$defs/host" } } },
  "additionalProperties": false,
  "$defs": { "host": { "type": "object", "properties": { "name": { "type": ["string", "null"] } } } } }
//- data.json
{ "port": 1 }
"##;
    check(
        schema,
        &expect![[r#"
        config.schema.json (JSON Schema)
          field hosts: array
          field hosts[].name: null or string
          field mode: any
          enum value mode = "fast": 
          enum value mode = "slow": 
          field port: integer, required
          constraint port minimum: 1
          constraint the value additionalProperties: false
    "#]],
    );
    check_edits(
        schema,
        &[
            ("\"required\": [\"port\"]", "\"required\": [\"port\", \"mode\"]"),
            ("\"fast\", \"slow\"", "\"fast\""),
            ("\"minimum\": 1", "\"minimum\": 10"),
            (", \"minimum\": 1", ""),
            ("[\"string\", \"null\"]", "[\"null\", \"string\"]"),
            ("\"type\": \"integer\"", "\"type\": \"string\""),
        ],
        &expect![[r##"
            # "required": ["port", "mode"]
            ! narrowed: the field `mode` of `config.schema.json` is required now (config.schema.json:1)
            # "fast"
            ! removed: the enum value `mode = "slow"` of `config.schema.json` was removed (config.schema.json:2)
            # "minimum": 10
            ! changed: the constraint `port minimum` of `config.schema.json` is `10` instead of `1` (config.schema.json:2)
            # - , "minimum": 1
            ~ widened: the constraint `port minimum` of `config.schema.json` was removed (config.schema.json:2)
            # ["null", "string"]
            no change
            # "type": "string"
            ! changed: the field `port` of `config.schema.json` is `string` instead of `integer` (config.schema.json:1)
        "##]],
    );
}

#[test]
fn ve7_a_graphql_schema_is_read_and_compared() {
    let schema = r#"
//- schema.graphql
"""All of it."""
type Query {
  "One."
  user(id: ID!, deep: Boolean = false): User @deprecated(reason: "x: y")
  users(first: Int, tags: [String!]!): [User!]!
}
type User implements Node & Thing @key(fields: "id") { id: ID! name: String }
input NewUser { name: String! age: Int = 3 }
enum Role { ADMIN GUEST }
union Any = | User | Query
scalar Date
extend type User { email: String }
directive @auth(role: Role) on FIELD_DEFINITION
schema { query: Query }
//- client.graphql
query Me($id: ID!) { user(id: $id) { type } }
"#;
    check(
        schema,
        &expect![[r#"
        schema.graphql (GraphQL)
          type Any: union
          enum value Any.Query: 
          enum value Any.User: 
          type Date: scalar
          type NewUser: 
          field NewUser.age: Int
          field NewUser.name: String, required
          type Query: 
          field Query.user: User
          parameter Query.user(deep): Boolean
          parameter Query.user(id): ID, required
          field Query.users: [User!], required
          parameter Query.users(first): Int
          parameter Query.users(tags): [String!], required
          type Role: 
          enum value Role.ADMIN: 
          enum value Role.GUEST: 
          type User: 
          field User.email: String
          field User.id: ID, required
          field User.name: String
    "#]],
    );
    check_edits(
        schema,
        &[
            ("ADMIN GUEST", "ADMIN"),
            ("name: String }", "name: String! }"),
            ("id: ID! name: String }", "id: ID name: String }"),
            ("first: Int, tags", "first: Int!, tags"),
            ("age: Int = 3", "age: Int = 3 mail: String!"),
            ("[User!]!", "[User]!"),
            ("extend type User { email: String }", ""),
            (
                "type User implements Node & Thing @key(fields: \"id\") { id: ID! name: String }",
                "# A user.\ntype User {\n  name: String\n  id: ID!\n}",
            ),
        ],
        &expect![[r#"
            # ADMIN
            ! removed: the enum value `Role.GUEST` of `schema.graphql` was removed (schema.graphql:9)
            # name: String! }
            ~ widened: the field `User.name` of `schema.graphql` is now always present (schema.graphql:7)
            # id: ID name: String }
            ! narrowed: the field `User.id` of `schema.graphql` may be missing now (schema.graphql:7)
            # first: Int!, tags
            ! narrowed: the parameter `Query.users(first)` of `schema.graphql` is required now (schema.graphql:5)
            # age: Int = 3 mail: String!
            ! narrowed: the field `NewUser.mail` of `schema.graphql` was added and is required (schema.graphql:8)
            # [User]!
            ! changed: the field `Query.users` of `schema.graphql` is `[User]` instead of `[User!]` (schema.graphql:5)
            # - extend type User { email: String }
            ! removed: the field `User.email` of `schema.graphql` was removed (schema.graphql:12)
            # # A user.
            no change
        "#]],
    );
}

#[test]
fn ve7_a_protobuf_file_is_read_and_compared() {
    let schema = r#"
//- shop.proto
syntax = "proto3";
package shop.v1;
import "other.proto";
message Cart {
  option deprecated = true;
  reserved 9, 10;
  string id = 1; // the id
  repeated Item items = 2 [packed = true];
  map<string, int32> counts = 3;
  oneof owner { string user = 4; string guest = 5; }
  message Item { string name = 1; }
  enum State { OPEN = 0; DONE = 1; }
}
service Carts {
  rpc Get(GetRequest) returns (stream Cart);
  rpc Put(Cart) returns (Cart) { option (http) = { put: "/cart" body: "*" }; }
}
"#;
    check(
        schema,
        &expect![[r#"
        shop.proto (protobuf)
          type shop.v1.Cart: message
          type shop.v1.Cart.Item: message
          field shop.v1.Cart.Item.name: string = 1
          type shop.v1.Cart.State: enum
          enum value shop.v1.Cart.State.DONE:  = 1
          enum value shop.v1.Cart.State.OPEN:  = 0
          field shop.v1.Cart.counts: map<string, int32> = 3
          field shop.v1.Cart.guest: string = 5
          field shop.v1.Cart.id: string = 1
          field shop.v1.Cart.items: repeated Item = 2
          field shop.v1.Cart.user: string = 4
          type shop.v1.Carts: service
          operation shop.v1.Carts.Get: ( GetRequest ) returns ( stream Cart )
          operation shop.v1.Carts.Put: ( Cart ) returns ( Cart )
    "#]],
    );
    check_edits(
        schema,
        &[
            ("string id = 1;", "bytes id = 1;"),
            ("string id = 1;", "string id = 7;"),
            ("string guest = 5;", "string visitor = 5;"),
            ("DONE = 1;", ""),
            ("returns (stream Cart)", "returns (Cart)"),
            ("string name = 1;", "string name = 1; int32 size = 2;"),
            ("// the id", "/* its id */"),
        ],
        &expect![[r#"
            # bytes id = 1;
            ! changed: the field `shop.v1.Cart.id` of `shop.proto` is `bytes` instead of `string` (shop.proto:7)
            # string id = 7;
            ! changed: the field `shop.v1.Cart.id` of `shop.proto` has the number 7 instead of 1 (shop.proto:7)
            # string visitor = 5;
            ! removed: the field `shop.v1.Cart.guest` of `shop.proto` was removed (shop.proto:10)
            ! changed: the field `shop.v1.Cart.visitor` of `shop.proto` reuses the number 5 of `shop.v1.Cart.guest` (shop.proto:10)
            # - DONE = 1;
            ! removed: the enum value `shop.v1.Cart.State.DONE` of `shop.proto` was removed (shop.proto:12)
            # returns (Cart)
            ! changed: the operation `shop.v1.Carts.Get` of `shop.proto` is `( GetRequest ) returns ( Cart )` instead of `( GetRequest ) returns ( stream Cart )` (shop.proto:15)
            # string name = 1; int32 size = 2;
            ~ added: the field `shop.v1.Cart.Item.size` of `shop.proto` was added (shop.proto:11)
            # /* its id */
            no change
        "#]],
    );
}
