//! Go, Java, Ruby, PHP and .NET.

use expect_test::expect;

use crate::check;

#[test]
fn ve1_go() {
    check(
        "//- go.mod\nmodule example.com/a\n//- go.sum\n//- a_test.go\n//- tools/go.mod\nmodule example.com/a/tools\n",
        &expect![[r#"
            .: example.com/a, go, go
              build: go build ./...  [go.mod module]
              lint: go vet ./...  [go.mod module]
              test: go test ./...  [go.mod module]
                report: GoTestJson Stdout: go test -json ./...
                select folders: go test -json {files}
            tools: example.com/a/tools, go, go
              build: go build ./...  [tools/go.mod module]
              lint: go vet ./...  [tools/go.mod module]
        "#]],
    );
}

#[test]
fn ve1_java() {
    check(
        "//- pom.xml\n<project><parent><artifactId>p</artifactId></parent><artifactId>a</artifactId></project>\n//- mvnw exec\n//- m/pom.xml\n//- m/src/test/java/A.java\n",
        &expect![[r#"
            .: a, java, maven
              build: ./mvnw -o -B test-compile  [pom.xml project]
              test: ./mvnw -o -B test  [pom.xml project]
                report: JunitXml Pattern("**/target/{surefire,failsafe}-reports/TEST-*.xml"): ./mvnw -fae -o -B test
                select classes: ./mvnw -fae -o -B test -DfailIfNoSpecifiedTests=false -Dsurefire.failIfNoSpecifiedTests=false {files}
        "#]],
    );
    check(
        "//- settings.gradle.kts\nrootProject.name = \"g\"\n//- gradlew exec\n//- app/build.gradle.kts\n//- app/src/test/kotlin/A.kt\n",
        &expect![[r#"
            .: g, java, gradle
              build: ./gradlew --offline --no-daemon testClasses  [settings.gradle.kts project]
              test: ./gradlew --offline --no-daemon test --continue  [settings.gradle.kts project]
                report: JunitXml Pattern("**/build/test-results/**/TEST-*.xml"): ./gradlew --offline --no-daemon test --continue
                select classes: ./gradlew --offline --no-daemon test --continue {files}
        "#]],
    );
}

#[test]
fn ve1_ruby() {
    check(
        "//- Gemfile\n//- Gemfile.lock\n//- a.gemspec\n//- spec/a_spec.rb\n//- .rspec\n//- .rubocop.yml\n",
        &expect![[r#"
            .: a, ruby, bundler
              lint: bundle exec rubocop  [.rubocop.yml settings of rubocop]
              test: bundle exec rspec  [.rspec specs]
                report: RspecJson File: bundle exec rspec --format progress --format json --out {report}
                select files: bundle exec rspec --format progress --format json --out {report} {files}
        "#]],
    );
    check(
        "//- Gemfile\n//- Rakefile\n//- test/a_test.rb\n",
        &expect![[r#"
            .: (no name), ruby, bundler
              test: rake test  [Rakefile task test]
                report: MinitestText Printed: rake test TESTOPTS=-v
        "#]],
    );
}

#[test]
fn ve1_php() {
    check(
        "//- composer.json\n{\"name\": \"v/a\", \"require-dev\": {\"phpunit/phpunit\": \"11\", \"phpstan/phpstan\": \"2\"}}\n//- phpunit.xml.dist\n//- phpstan.neon\n//- psalm.xml\n",
        &expect![[r#"
            .: v/a, php, composer
              typecheck: phpstan analyse --no-progress  [phpstan.neon settings of phpstan/phpstan]
              test: phpunit  [phpunit.xml.dist settings of phpunit/phpunit]
                report: JunitXml File: phpunit --log-junit {report}
        "#]],
    );
}

#[test]
fn ve1_dotnet() {
    check(
        "//- All.sln\n//- src/A/A.csproj\n//- test/A.Tests/A.Tests.csproj\n//- .editorconfig\n//- tool/T.csproj\n",
        &expect![[r#"
        .: All, dotnet, dotnet
          build: dotnet build --no-restore All.sln  [All.sln solution or project]
          format: dotnet format --no-restore --verify-no-changes All.sln  [All.sln solution or project]
          test: dotnet test --no-restore All.sln  [All.sln solution or project]
            report: Trx Folder: dotnet test --no-restore All.sln --logger trx --results-directory {report}
    "#]],
    );
    check(
        "//- tool/T.csproj\n",
        &expect![[r#"
            tool: T, dotnet, dotnet
              build: dotnet build --no-restore T.csproj  [tool/T.csproj solution or project]
        "#]],
    );
}
